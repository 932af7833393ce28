-- SPDX-License-Identifier: GPL-3.0-or-later
-- Jobs have an account.
function slurm_job_submit(job_desc, part_list, submit_uid)
   if job_desc.account == nil and submit_uid ~= 0 then
      slurm.log_user("Give an account: -A NAME")
      return slurm.ESLURM_INVALID_ACCOUNT
   end
   return slurm.SUCCESS
end

function slurm_job_modify(job_desc, job_rec, part_list, modify_uid)
   return slurm.SUCCESS
end

return slurm.SUCCESS
